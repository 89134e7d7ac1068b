/** The certificate and key of a process and the certificates that it trusts, as PEM texts. */
export interface TlsIdentity {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Left out: the authorities that Node knows. */
  readonly ca?: string | undefined;
}

/** How a listener speaks TLS. */
export interface ServerTls extends TlsIdentity {
  readonly requestCert?: boolean;
  readonly rejectUnauthorized?: boolean;
}
