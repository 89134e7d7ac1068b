import type { CollectionDefinition, Document } from '@assurance/storage-ports';

/** An organization, or a stream of one. */
export type Owner = { readonly org: string } | { readonly stream: string };

/** Documents that cannot be rebuilt from commits, such as activity. An archive contains them. */
export interface ArchivedCollection {
  readonly collection: CollectionDefinition<Document>;
  /** The organization of a document, or one of its streams. Null if the document does not say. Then only an archive of all organizations has it. */
  readonly ownerOf: (id: string, doc: Document) => Owner | null;
  /** Whether archives omit the documents, unless secrets are requested. */
  readonly secret: boolean;
}
