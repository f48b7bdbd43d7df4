import type { User } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "./Connection.ts"

/** The users that are read at most. A larger tenant shows the names of these only. */
const maxUsers = 100

const noUsers: ReadonlyMap<string, string> = new Map()

const namesOf = (users: ReadonlyArray<User>): ReadonlyMap<string, string> =>
  new Map(users.map((user) => [user.id, user.name]))

/** Returns the names of the tenant's users by id. Empty until they are read. */
export const useUserNames = (): ReadonlyMap<string, string> => {
  const { client, tenantId } = useConnection()
  const users = useQuery({
    queryKey: [tenantId, "users"],
    queryFn: async ({ signal }) => namesOf((await client.users.list(tenantId, { limit: maxUsers, signal })).users)
  })
  return users.data ?? noUsers
}
