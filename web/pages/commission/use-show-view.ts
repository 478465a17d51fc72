/** Goes to one of the views of a commission. */
import { useNavigate } from '@tanstack/react-router';
import { inBackground } from '../../state/background.ts';
import type { ViewName } from './search.ts';

export function useShowView(project: string, id: string): (view: ViewName) => void {
  const navigate = useNavigate();
  return (view) => {
    const search = view === 'work' ? {} : { view };
    inBackground(navigate({ to: '/projects/$project/commissions/$id', params: { project, id }, search }));
  };
}
