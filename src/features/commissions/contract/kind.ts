/** The feature's word in ids, branches (`claude/commission/<id>`), folders and events. Without schemas, for folds in the page. */
export const commissionKind = 'commission';
