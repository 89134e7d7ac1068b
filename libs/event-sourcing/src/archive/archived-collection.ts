import type { CollectionDefinition, Document } from '@assurance/storage-ports';

/** An organization, or a stream of one. */
export type Owner = { readonly org: string } | { readonly stream: string };

/** Documents that cannot be rebuilt from commits, such as activity. An archive contains them. */
export interface ArchivedCollection {
  readonly collection: CollectionDefinition<Document>;
  /** The organization of a document, by name or by one of its streams. Null if the document does not say: only an archive of all organizations has it. */
  readonly ownerOf: (id: string, doc: Document) => Owner | null;
  /** Left out of archives unless secrets are asked for. */
  readonly secret: boolean;
}
