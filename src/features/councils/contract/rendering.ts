/** The one rendering of a transcript, for doors. */
export { renderEntry } from '../rules/render.ts';
