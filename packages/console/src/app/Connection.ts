import { createClient, isLeadloomError, type Leadloom } from "@leadloom/client"
import { QueryCache, MutationCache, QueryClient } from "@tanstack/react-query"
import { createContext, useContext } from "react"
import { type Operation, permittedOperations } from "./PermittedOperations.ts"
import { endSession, readSession, type Session } from "./Session.ts"

/** The client of the signed-in session. */
export interface Connection {
  readonly client: Leadloom
  readonly tenantId: string
  readonly userId: string | null
  readonly permitted: ReadonlySet<Operation>
  /** Whether the server can renew and end the session. It cannot for an API key. */
  readonly isRenewable: boolean
  /** Whether the person needs another link to sign in again. */
  readonly isFromLink: boolean
}

/** Creates the client of a session. After a renewal, the client reads the new token from the tab. */
const create = ({ credential, expiresAt, facts, isFromLink = false, tenantId, userId }: Session): Connection => ({
  client: createClient({ baseUrl: location.origin, credential: () => readSession()?.credential ?? credential }),
  tenantId,
  userId,
  permitted: permittedOperations(facts),
  isRenewable: expiresAt !== null,
  isFromLink
})

let latest: { readonly name: string; readonly connection: Connection } | null = null

/**
 * Returns the connection of a session. It stays the same until another session begins. The router asks before every page,
 * and another object would start the event stream again, so that events between both streams would be lost.
 */
export const connect = (session: Session): Connection => {
  const { credential, expiresAt, ...others } = session
  const name = JSON.stringify([others, expiresAt === null ? credential : null])
  if (latest?.name !== name) latest = { name, connection: create(session) }
  return latest.connection
}

const Current = createContext<Connection | null>(null)

export const ConnectionProvider = Current.Provider

/** Returns the connection of the signed-in session. Pages outside the shell have none. */
export const useConnection = (): Connection => {
  const connection = useContext(Current)
  if (connection === null) throw new Error("This component needs a signed-in session.")
  return connection
}

const onError = (error: Error): void => {
  if (isLeadloomError(error, "UNAUTHORIZED")) endSession("expired")
}

/**
 * Creates the cache of responses. Events keep it current, so it never reads a response again by itself. The client
 * already retries failed requests.
 */
export const createQueries = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: false,
        networkMode: "always"
      },
      mutations: { networkMode: "always" }
    }
  })
