import { err, ok, type Result } from '@assurance/kernel';
import { loneSetting, oneOf, type ReadSetting, text } from '../variables';

/** Paths of PEM files. */
export interface TlsPaths {
  /** The certificate of listeners, and of gateways that call services; null: listeners use plain HTTP. */
  readonly own: { readonly certificate: string; readonly key: string } | null;
  /** The authorities that sign the certificates of the installation; null: the authorities that Node trusts. */
  readonly ca: string | null;
  /** Whether callers of the API must present a certificate that `ca` signed. */
  readonly clients: 'off' | 'required';
}

/**
 * Reads the TLS settings of the service's listeners, and of calls from gateways to services. The settings name files, and
 * the service reads these again when they change.
 *
 * @returns null if nothing is set; a refusal names the missing setting
 */
export function tlsPaths(read: ReadSetting): Result<TlsPaths | null, string> {
  const certificate = read('ASSURANCE_TLS_CERTIFICATE_FILE', text(null));
  const key = read('ASSURANCE_TLS_KEY_FILE', text(null));
  const ca = read('ASSURANCE_TLS_CA_FILE', text(null));
  const clients = read('ASSURANCE_TLS_CLIENT_CERTIFICATES', oneOf(['off', 'required'], 'off'));
  const loneName = loneSetting({ ASSURANCE_TLS_CERTIFICATE_FILE: certificate, ASSURANCE_TLS_KEY_FILE: key });
  if (loneName !== null) return err(loneName);
  const ownCertificate = certificate === null || key === null ? null : { certificate, key };
  if (clients === 'required' && (ownCertificate === null || ca === null)) {
    return err(
      'ASSURANCE_TLS_CLIENT_CERTIFICATES is required, which needs ASSURANCE_TLS_CERTIFICATE_FILE, ASSURANCE_TLS_KEY_FILE and ' +
        'ASSURANCE_TLS_CA_FILE.',
    );
  }
  return ok(ownCertificate === null && ca === null ? null : { own: ownCertificate, ca, clients });
}
