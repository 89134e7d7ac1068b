export { ArtifactPage } from './ArtifactPage';
