package kept

// Look is how a person looks at the jobs.
type Look struct {
	Gallery bool `json:"gallery"`
	// Cells is the chosen width of the gallery's cells, in terminal cells.
	Cells int `json:"cells,omitempty"`
	// Sort is the order of the jobs as a filter writes it, "" for the usual one.
	Sort string `json:"sort,omitempty"`
	// Rows is how many lines a row of the list takes: from two on it has a picture; 0 leaves it to the
	// room that there is.
	Rows int `json:"rows,omitempty"`
}

// ComposeLook is how a person looks at Compose.
type ComposeLook struct {
	// Request says whether the request is "open" or "folded" where the latest results need its room; ""
	// leaves it to the room that there is.
	Request string `json:"request,omitempty"`
}
