import { Dialog } from '../../kit/overlay.tsx';

export function OpenMeetingDialog({
  onClose,
}: {
  readonly onClose: () => void;
  readonly project?: string | undefined;
}) {
  return <Dialog title="Open a meeting" isOpen onOpenChange={onClose} />;
}
