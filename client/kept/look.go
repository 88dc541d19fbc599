package kept

// Look is how a person looks at the jobs.
type Look struct {
	Gallery bool `json:"gallery"`
	// Cells is the width of the gallery's cells that was chosen, in cells of the terminal.
	Cells int `json:"cells,omitempty"`
}
