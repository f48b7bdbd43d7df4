import type { Team, User } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "./Connection.ts"

/** The users that are read at most. A larger tenant shows the names of these only. */
const maxUsers = 100

const noNames: ReadonlyMap<string, string> = new Map()

const namesOf = (users: ReadonlyArray<Team | User>): ReadonlyMap<string, string> =>
  new Map(users.map((user) => [user.id, user.name]))

/** Returns the names of the tenant's users by id. Empty until they are read. */
export const useUserNames = (): ReadonlyMap<string, string> => {
  const { client, tenantId } = useConnection()
  const users = useQuery({
    queryKey: [tenantId, "users"],
    queryFn: async ({ signal }) => namesOf((await client.users.list(tenantId, { limit: maxUsers, signal })).users)
  })
  return users.data ?? noNames
}

/** Returns the names of the tenant's teams by id. Empty until they are read. */
export const useTeamNames = (): ReadonlyMap<string, string> => {
  const { client, permitted, tenantId } = useConnection()
  const teams = useQuery({
    queryKey: [tenantId, "teams"],
    queryFn: async ({ signal }) => namesOf((await client.teams.list(tenantId, { signal })).teams),
    enabled: permitted.has("teams.list")
  })
  return teams.data ?? noNames
}
