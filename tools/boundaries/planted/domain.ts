// lies in libs/features/environments/domain
export * from '@assurance/contracts/http/route'; // refused: order Domain code imports
export * from '@assurance/storage-ports'; // refused: order Domain code imports
export * from '@assurance/event-sourcing/command/streams'; // refused: order Domain code imports
export * from '@assurance/flows/lookups/flows'; // refused: order for its own feature
export * from '@assurance/deployments/read/last-deployment'; // refused: order comes after environments
export * from '../write/environments'; // refused: order does not import its part write
export * from 'rxjs'; // refused: order Domain code imports
export * from 'node:crypto'; // refused: no-restricted-imports 'node:crypto'; order Domain code imports
export const load = () => import('rxjs'); // refused: order Domain code imports; no-restricted-syntax imports statically
export const now = () => Date.now(); // refused: no-restricted-properties 'Date.now'
