import { err, ok, type Result } from '@assurance/kernel';
import { loneSetting, oneOf, type ReadSetting, text } from '../variables';

/** Paths of PEM files. */
export interface TlsPaths {
  /** The certificate of listeners, and of a gateway that calls services; null: listeners speak plain HTTP. */
  readonly own: { readonly certificate: string; readonly key: string } | null;
  /** The authorities that sign the certificates of the installation; null: those that Node knows. */
  readonly ca: string | null;
  /** Whether callers of the API have to show a certificate that `ca` signed. */
  readonly clients: 'off' | 'required';
}

/**
 * The settings of TLS at the service's own listeners, and from gateways to services. They name files, which are read again when they change.
 *
 * @returns null where nothing is set; a refusal names the setting that is missing
 */
export function tlsPaths(read: ReadSetting): Result<TlsPaths | null, string> {
  const certificate = read('ASSURANCE_TLS_CERTIFICATE_FILE', text(null));
  const key = read('ASSURANCE_TLS_KEY_FILE', text(null));
  const ca = read('ASSURANCE_TLS_CA_FILE', text(null));
  const clients = read('ASSURANCE_TLS_CLIENT_CERTIFICATES', oneOf(['off', 'required'], 'off'));
  const lone = loneSetting({ ASSURANCE_TLS_CERTIFICATE_FILE: certificate, ASSURANCE_TLS_KEY_FILE: key });
  if (lone !== null) return err(lone);
  const own = certificate === null || key === null ? null : { certificate, key };
  if (clients === 'required' && (own === null || ca === null)) {
    return err(
      'ASSURANCE_TLS_CLIENT_CERTIFICATES is required, which needs ASSURANCE_TLS_CERTIFICATE_FILE, ASSURANCE_TLS_KEY_FILE and ' +
        'ASSURANCE_TLS_CA_FILE.',
    );
  }
  return ok(own === null && ca === null ? null : { own, ca, clients });
}
