import type { HostedProvider } from "../email/HostedMail.ts"
import { registrableDomain } from "../email/Mailbox.ts"

/** The registrable domains of the mail servers of providers at which owners sign in. */
const providers: ReadonlyMap<string, HostedProvider> = new Map([
  ["gmail.com", "google"],
  ["googlemail.com", "google"],
  ["google.com", "google"],
  ["office365.com", "microsoft"],
  ["outlook.com", "microsoft"],
  // The national clouds of Microsoft (`docs/decisions/0148-sign-in-instead-of-passwords.md`).
  ["office365.us", "microsoft"],
  ["outlook.cn", "microsoft"]
])

/**
 * Returns the provider of a mail server if its owners sign in with OAuth: Google accepts only app passwords, and Microsoft
 * accepts no passwords. Null for other servers.
 */
export const ownerProviderOf = (host: string): HostedProvider | null => providers.get(registrableDomain(host)) ?? null
