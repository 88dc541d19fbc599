package themes

import "reflect"

// Derived is what a package makes of the styles, as the bare sequences of its inks. It is made once and
// kept with the styles; T is a type of the package's own, by which it is found again.
func Derived[T any](s *Styles, from func(*Styles) *T) *T {
	if s.derived == nil { // not of Make
		return from(s)
	}
	key := reflect.TypeFor[T]()
	if v, ok := s.derived.Load(key); ok {
		return v.(*T)
	}
	v, _ := s.derived.LoadOrStore(key, from(s))
	return v.(*T)
}
