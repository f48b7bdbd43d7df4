import type { Variables } from "./Variables.ts"

/** The maximum number of vault keys. It is enough for the new key, the old key, and keys that old backups need. */
const maxVaultKeys = 8

/**
 * Reads the keys that encrypt stored secrets. The first key encrypts. If the list is empty, the secret key encrypts.
 */
export const readVaultKeys = ({ ownSecrets }: Variables): ReadonlyArray<string> =>
  ownSecrets("LEADLOOM_VAULT_KEYS", maxVaultKeys)
