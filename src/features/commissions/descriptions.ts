/** The operations of commissions, described once for every door. */
export { commissionCreate, commissionEdit } from './descriptions/creating.ts';
export {
  commissionCancel,
  commissionDispatch,
  commissionHold,
  commissionRedispatch,
} from './descriptions/dispatching.ts';
export {
  commissionDiff,
  commissionGraph,
  commissionList,
  commissionLogs,
  commissionShow,
  commissionWait,
} from './descriptions/reading.ts';
export {
  commissionAnswer,
  commissionComment,
  commissionDismiss,
  commissionMerge,
  commissionReview,
} from './descriptions/reviewing.ts';
