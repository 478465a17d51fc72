import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createHallClient, HallProvider } from '../state/hall.tsx';
import '../kit/tokens.css';
import '../kit/markdown/prose.css';
import { router } from './router.tsx';

// Pieces that bring styles of their own may do so under the page's policy.
setNonce(document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '');

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <HallProvider client={createHallClient()}>
      <RouterProvider router={router} />
    </HallProvider>
  </StrictMode>,
);
