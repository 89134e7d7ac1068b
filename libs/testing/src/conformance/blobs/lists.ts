import type { BlobInfo, Blobs } from '@assurance/storage-ports';
import { lookAlikes, unique } from '../harness';
import { bytes, pieces } from './content';

export function lists(blobs: () => Blobs): void {
  const listed = async (org: string): Promise<BlobInfo[]> => {
    const all: BlobInfo[] = [];
    for await (const info of blobs().list(org)) all.push(info);
    return all.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  };

  it('gives every blob of an organization once, and none of another', async () => {
    const orgs = lookAlikes(unique('org'));
    const put = await Promise.all(
      orgs.map(async (org, i) => {
        const infos: BlobInfo[] = [];
        for (const content of [0, 10 + i, 300_000 + i].map(bytes)) {
          infos.push(await blobs().put(org, pieces(content), 1_000_000));
          await blobs().put(org, pieces(content), 1_000_000);
        }
        return infos.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
      }),
    );
    expect(put).toMatchObject(await Promise.all(orgs.map(listed)));
  });

  it('gives nothing of an organization that put nothing, and nothing of a put that broke off', async () => {
    const org = unique('org');
    await expect(blobs().put(org, pieces(bytes(1_000)), 10)).rejects.toThrow();
    expect(await listed(org)).toEqual([]);
  });
}
