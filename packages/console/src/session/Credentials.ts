import { createClient, type CredentialFacts, type Leadloom } from "@leadloom/client"
import { type Session, storeSession } from "../app/Session.ts"

const clientOf = (credential: string): Leadloom => createClient({ baseUrl: location.origin, credential })

const factsOf = (credential: string): Promise<CredentialFacts> => clientOf(credential).credential.get()

/** The key is valid, but not for the named tenant. */
export class OtherTenant extends Error {}

/** Returns the tenant that a key opens if the person names none: its own, or the first one for the operator. */
const defaultTenant = async (credential: string, facts: CredentialFacts): Promise<string> => {
  const client = clientOf(credential)
  const tenants = facts.tenant_ids ?? (await client.tenants.list({ limit: 1 })).tenants.map(({ tenant_id: id }) => id)
  const [first] = tenants
  if (first === undefined) throw new OtherTenant()
  return first
}

/** Checks a pasted key, which acts as no user. */
export const sessionOfKey = async (named: string, credential: string): Promise<Session> => {
  const facts = await factsOf(credential)
  const tenantId = named === "" ? await defaultTenant(credential, facts) : named
  if (facts.tenant_ids !== null && !facts.tenant_ids.includes(tenantId)) throw new OtherTenant()
  return { credential, tenantId, userId: null, facts, expiresAt: null }
}

/** Exchanges the ticket of a sign-in link for a session. A ticket is valid once. */
export const sessionOfTicket = async (ticket: string): Promise<Session> => {
  const minted = await createClient({ baseUrl: location.origin }).sessions.mint({ ticket })
  const { expires_at: expiresAt, tenant_id: tenantId, token: credential, user_id: userId } = minted
  return { credential, tenantId, userId, expiresAt, facts: await factsOf(credential), isFromLink: true }
}

/** A person whom the identity provider has signed in. The ID token stays in memory. */
export interface Person {
  readonly idToken: string
  readonly facts: CredentialFacts
}

/** The ID token is valid, but contains no role or no tenant. */
export class NoAccess extends Error {}

/** Checks an ID token on the server. */
export const personOf = async (idToken: string): Promise<Person> => {
  const facts = await factsOf(idToken)
  if (facts.role === null || facts.tenant_ids?.length === 0) throw new NoAccess()
  return { idToken, facts }
}

/**
 * Exchanges an ID token for a session, which can be renewed and revoked. It has the role of the person; no session has
 * the role superuser, so a superuser gets that of an admin.
 */
export const sessionOfPerson = async ({ facts, idToken }: Person, tenantId: string): Promise<Session> => {
  const role = facts.role === "superuser" ? ({ role: "admin" } as const) : {}
  const { ticket } = await clientOf(idToken).sessions.createTicket({ tenant_id: tenantId, ...role })
  return { ...(await sessionOfTicket(ticket)), isFromLink: false }
}

/** Opens the console with a session. */
export const enter = (session: Session): void => {
  storeSession(session)
  location.replace("/inbox")
}
