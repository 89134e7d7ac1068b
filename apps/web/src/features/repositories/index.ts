export { RepositoriesPage } from './RepositoriesPage';
export { RepositoryPage } from './RepositoryPage';
