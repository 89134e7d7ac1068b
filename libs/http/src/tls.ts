/** The certificate and key of a process and the certificates that it trusts, as PEM texts. */
export interface TlsIdentity {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Absent: the authorities that Node trusts. */
  readonly ca?: string | undefined;
}

/** The TLS settings of a listener. */
export interface ServerTls extends TlsIdentity {
  readonly requestCert?: boolean;
  readonly rejectUnauthorized?: boolean;
}
