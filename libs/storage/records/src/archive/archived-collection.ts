import type { CollectionDefinition, Document } from '@assurance/storage-ports';

/** An organization, or a stream of one. */
export type Owner = { readonly org: string } | { readonly stream: string };

/** Documents that cannot be rebuilt from commits, such as activity. An archive contains them. */
export interface ArchivedCollection {
  readonly collection: CollectionDefinition<Document>;
  /** Whose a document is, by name or by a stream of theirs; null where it does not say: it comes along where all organizations do. */
  readonly ownerOf: (id: string, doc: Document) => Owner | null;
  /** Left out of archives unless secrets are asked for. */
  readonly secret: boolean;
}
