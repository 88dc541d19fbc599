// Package items edits structured values piece by piece: a list of objects, as content
// items, or one object whose keys are named. What a value is made of is data, a [Spec].
// Values are those of a draft: string, bool, json.Number, []any and map[string]any of the
// same. They are never written to, only replaced; keys that a Spec does not name, numbers
// of any length and items that are no objects stay as they are until somebody edits them.
//
// Nothing here looks at files: what is known about a reference comes in as a [Fact].
package items
