import { isLeadloomError, type Leadloom } from "@leadloom/client"
import { type Right, rights } from "./Tool.ts"

/**
 * One request per right. The API checks the right before the content, so the requests for `messages` and `pipeline` are
 * rejected as invalid if the credential has the right. None of the requests changes anything.
 */
const probes: Readonly<Record<Right, (client: Leadloom, tenantId: string) => PromiseLike<unknown>>> = {
  read: (client, tenantId) => client.tasks.list(tenantId, { limit: 1 }),
  messages: (client, tenantId) => client.tasks.update(tenantId, "task_0", {}),
  pipeline: (client, tenantId) => client.pipeline.dryRun(tenantId, { message: "" }),
  manage: (client, tenantId) => client.config.get(tenantId)
}

/** Returns whether the credential has a right. Rejects if the server does not answer or does not know the tenant. */
const holds = async (client: Leadloom, tenantId: string, right: Right): Promise<boolean> => {
  try {
    await probes[right](client, tenantId)
    return true
  } catch (error) {
    if (isLeadloomError(error, "FORBIDDEN")) return false
    if (right !== "read" && isLeadloomError(error, "BAD_REQUEST", "NOT_FOUND")) return true
    throw error
  }
}

/** Returns the rights of a credential in a tenant. The API has no operation that lists them, so each right is tried. */
export const probeRights = async (client: Leadloom, tenantId: string): Promise<ReadonlySet<Right>> => {
  const held = new Set<Right>()
  for (const right of rights) if (await holds(client, tenantId, right)) held.add(right)
  return held
}
