// The settings of the place elsewhere from the arguments of SVC_Backup.set-target. Texts that are left out are empty.

import type { TargetKind, TargetSettings } from '../../backup/elsewhere/target.ts'

/** The arguments, apart from the secret and the times. */
type Given = { readonly [K in Exclude<keyof TargetSettings, 'kind'>]?: TargetSettings[K] | undefined }

export function toSettings(kind: TargetKind, given: Given): TargetSettings {
  const { address = '', folder = '', user = '', region = '', bucket = '', bucket_in: bucketIn = 'path' } = given
  const { host_key: hostKey = '', key_file: keyFile = '', private_network: privateNetwork = false } = given
  return {
    kind,
    address: address.trim(),
    folder: folder.trim().replace(/\/$/, ''),
    user: user.trim(),
    region: region.trim(),
    bucket: bucket.trim(),
    bucket_in: bucketIn,
    host_key: hostKey.trim(),
    key_file: keyFile.trim(),
    private_network: privateNetwork,
  }
}
