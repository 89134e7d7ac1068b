import './ui/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { ApiError } from './api/error';
import { makeRouter } from './app/routes';
import { applyTheme } from './app/theme';

/** Failures that may pass by themselves. */
const PASSING = [0, 429, 503];

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, fault) => count < 2 && fault instanceof ApiError && PASSING.includes(fault.status),
    },
  },
});

applyTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('The entry page has no element "root".');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={makeRouter(client)} />
    </QueryClientProvider>
  </StrictMode>,
);
