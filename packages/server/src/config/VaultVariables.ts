import type { Variables } from "./Variables.ts"

/** Enough for the new key, the old key, and keys that old backups need. */
const maxVaultKeys = 8

/** Reads the keys that encrypt stored secrets. The first key encrypts. Empty: the secret key is used. */
export const readVaultKeys = ({ ownSecrets }: Variables): ReadonlyArray<string> =>
  ownSecrets("LEADLOOM_VAULT_KEYS", maxVaultKeys)
