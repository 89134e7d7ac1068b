import { createPublicKey, verify } from 'node:crypto';
import { pemOf, signedBy, signerOf } from './keys';

const signer = signerOf('a secret of the whole installation');

describe('a signing key', () => {
  it('is the same for the same secret, and another for another', () => {
    expect(signerOf('a secret of the whole installation').key).toBe(signer.key);
    expect(signerOf('another secret of the installation').key).not.toBe(signer.key);
  });

  it('signs what others can check with its public key alone', () => {
    const signature = signer.sign('text');
    expect(
      verify(null, Buffer.from('text'), createPublicKey(pemOf(signer.key)), Buffer.from(signature, 'base64url')),
    ).toBe(true);
    expect([signedBy(signer.key, 'text', signature), signedBy(signer.key, 'Text', signature)]).toEqual([true, false]);
    expect(signedBy(signerOf('another secret of the installation').key, 'text', signature)).toBe(false);
    expect([signedBy('', 'text', signature), signedBy(signer.key, 'text', '')]).toEqual([false, false]);
  });
});
