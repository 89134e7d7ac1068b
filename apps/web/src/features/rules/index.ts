export { AttestationTypePage } from './AttestationTypePage';
export { AttestationTypesPage } from './AttestationTypesPage';
export { ControlPage } from './ControlPage';
export { ControlsPage } from './ControlsPage';
export { PoliciesPage } from './PoliciesPage';
export { PolicyPage } from './PolicyPage';
