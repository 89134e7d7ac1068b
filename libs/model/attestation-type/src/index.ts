export * from './attestation-type';
