package kept

// Look is how a person looks at the jobs.
type Look struct {
	Gallery bool `json:"gallery"`
	// Cells is the chosen width of the gallery's cells, in terminal cells.
	Cells int `json:"cells,omitempty"`
	// Sort is the order of the jobs as a filter writes it, "" for the usual one.
	Sort string `json:"sort,omitempty"`
}
