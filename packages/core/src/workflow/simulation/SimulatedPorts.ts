import { Context, Effect } from "effect"
import type { performActions } from "../action/PerformActions.ts"
import type { stopSequences } from "../action/SequenceActions.ts"

/** The services that the code of actions uses. */
type Used = Effect.Services<ReturnType<typeof performActions>> | Effect.Services<ReturnType<typeof stopSequences>>

/** What a simulation does with the methods of a service. A method in neither list ends the simulation with a defect. */
interface Treatment<Shape> {
  /** The methods that write nothing and call no provider. */
  readonly reads: ReadonlyArray<keyof Shape>
  /** The replacements of methods that write. */
  readonly instead?: Partial<Shape>
}

const nothing = () => Effect.void

/**
 * The treatment of every service that the code of actions uses. The type requires an entry for each of them, so an action
 * that begins to use another service does not compile without a decision about it.
 */
const treatments: { readonly [Service in Used as Service["key"]]: Treatment<Service["Service"]> } = {
  "core/domain/access/Secrets": { reads: ["pepper"] },
  "core/port/provider/Crm": { reads: ["configured"] },
  "core/port/repository/contact/Contacts": {
    reads: ["get", "holders", "identitiesOf", "page", "some", "undeliverable"],
    instead: { update: nothing }
  },
  "core/port/repository/contact/Contacts/Activities": { reads: ["before"], instead: { insert: nothing } },
  "core/port/repository/contact/CustomFields": { reads: ["get", "list"] },
  "core/port/repository/contact/OptOuts": { reads: ["of"] },
  "core/port/repository/conversation/Conversations": {
    reads: ["among", "get", "head", "openCounts"],
    instead: { setInboxState: nothing }
  },
  "core/port/repository/conversation/Grants": { reads: ["current", "find", "holder", "list"] },
  "core/port/repository/conversation/Messages": {
    reads: ["activity", "find", "findAll", "hasWrittenSince", "newestEmail", "newestText"]
  },
  "core/port/repository/conversation/Notes": { reads: ["before", "get"], instead: { insert: nothing } },
  "core/port/repository/conversation/ReadMarks": {
    reads: ["unread"],
    instead: { read: () => Effect.succeed(0) }
  },
  "core/port/repository/conversation/Sends": { reads: ["find", "findByKey", "replyCounts", "slots", "textCounts"] },
  "core/port/repository/crm/CrmLinks": { reads: ["ofContact"] },
  "core/port/repository/crm/CrmLocations/CrmInstalls": { reads: ["get", "list"] },
  "core/port/repository/lead/Leads": { reads: ["get", "ofContact", "openCounts"] },
  "core/port/repository/lead/SalesPipelines": { reads: ["list"] },
  "core/port/repository/lead/Tasks": {
    reads: ["get", "ofContact", "openCounts", "openOfContact"],
    instead: { insert: nothing }
  },
  "core/port/repository/pipeline/TriggerRuns": { reads: ["find", "isRepeated", "page"] },
  "core/port/repository/sequence/Enrolments": {
    reads: ["find", "newest", "overlaps", "running", "runningOf", "sentSince"],
    instead: { replace: nothing }
  },
  "core/port/repository/tenant/Teams": { reads: ["get", "page"], instead: { update: nothing } },
  "core/port/repository/tenant/Tenants": { reads: ["get"] },
  "core/port/repository/tenant/Users": { reads: ["get", "some"] },
  "core/port/repository/webhook/Events": { reads: [], instead: { append: nothing } },
  "core/port/repository/webhook/Jobs": { reads: [], instead: { put: nothing, renew: nothing, hurry: nothing } },
  "core/port/repository/webhook/Subscriptions": { reads: ["list"] },
  "core/port/repository/webhook/WebhookCalls": { reads: [], instead: { put: nothing } },
  "core/port/system/Ids": { reads: ["next"] }
}

const refuse = (key: string, method: string) =>
  Effect.die(new Error(`A simulated action called ${method} of ${key}. State in SimulatedPorts.ts what happens then.`))

/** Returns a service whose methods are those of its treatment. */
const treated = (
  key: string,
  service: object,
  { instead = {}, reads }: { readonly reads: ReadonlyArray<PropertyKey>; readonly instead?: object }
): object => {
  const permitted = new Set<PropertyKey>([...reads, ...Object.keys(instead)])
  const methods = Object.entries<unknown>({ ...service, ...instead }).map(([method, value]) => {
    if (permitted.has(method)) return [method, value] as const
    return [method, typeof value === "function" ? () => refuse(key, method) : refuse(key, method)] as const
  })
  return Object.fromEntries(methods)
}

/** Runs the code of actions with services that write nothing and call no provider. */
export const withoutWrites = <A, E>(effect: Effect.Effect<A, E, Used>): Effect.Effect<A, E, Used> =>
  Effect.contextWith((context: Context.Context<Used>) => {
    const services = Object.entries(treatments).map(([key, treatment]) => {
      const service: object = context.mapUnsafe.get(key)
      return [key, treated(key, service, treatment)] as const
    })
    return Effect.provideContext(effect, Context.makeUnsafe<Used>(new Map(services)))
  })
