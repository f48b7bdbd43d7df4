import type { Variables } from "./Variables.ts"

/** The new key, the old one, and older ones of backups. */
const maxVaultKeys = 8

/** Reads the keys that encrypt stored secrets; the first one encrypts. Empty: the secret key encrypts them. */
export const readVaultKeys = ({ ownSecrets }: Variables): ReadonlyArray<string> =>
  ownSecrets("LEADLOOM_VAULT_KEYS", maxVaultKeys)
