/** The feature's word in ids, folders and events. Without schemas, for folds in the page. */
export const councilKind = 'council';
