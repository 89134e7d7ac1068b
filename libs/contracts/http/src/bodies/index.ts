export { ArtifactPostInput, CommitInput, type ExternalUrlInput, RepoInput } from './artifact';
export * from './environment';
export * from './flow';
export * from './naming';
export * from './report';
export * from './report-contexts';
export * from './trail';
export { validateBody, type Validated } from './validate';
