/** Numbers that the page needs before it asks; apart from the shapes, whose checking it does not load. */

/** Longest notes that a person gives, in characters. */
export const maxNotesLength = 100_000;
