import { Dialog } from '../../kit/overlay.tsx';

export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  return <Dialog title="Search" isOpen onOpenChange={onClose} />;
}
