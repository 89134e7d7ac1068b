import './ui/base.css';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { ApiError } from './api/error';
import { sessionQuery, signInAddress } from './api/session';
import { makeRouter } from './app/routes';
import { applyTheme } from './app/theme';

/** Statuses of failures that may be temporary. */
const PASSING = [0, 429, 503];

/** If a session ends while pages are open, leads to the sign-in page and then back. The router checks the session by itself. */
const endings = new QueryCache({
  onError: (fault, { queryKey }) => {
    if (!(fault instanceof ApiError && fault.status === 401) || queryKey[0] === sessionQuery.queryKey[0]) return;
    location.assign(signInAddress(location.pathname, location.search));
  },
});

const client = new QueryClient({
  queryCache: endings,
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
