export { openS3 } from './open-s3';
export type { S3Blobs, S3Options, S3Settings } from './open-s3';
