import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Contact } from "../contact/Contact.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import type { ActionInputs } from "./ActionInputs.ts"

/** A request from a workflow of the CRM, as received. */
export interface ActionRequest {
  readonly actionKey: string
  readonly locationId: string
  /** The CRM's id of the contact. */
  readonly crmContactId: string
  /** Null if the request does not name the workflow. */
  readonly workflowId: string | null
  readonly inputs: ActionInputs
}

/** A request whose tenant and contact are known. */
export interface ActionCall extends ActionRequest {
  readonly tenant: Tenant
  readonly contact: Contact
  /** True if this request created the contact. */
  readonly created: boolean
  /**
   * The id of the request. All repetitions of a request have the same id. HighLevel repeats a request that takes too
   * long.
   */
  readonly callId: string
  /** The time of the first request, in epoch milliseconds. */
  readonly firstAt: number
}

/**
 * The response of an action. It is not nested, because each field becomes a variable of the workflow
 * (`{{add_tag.contact_id}}`).
 */
export type ActionAnswer = Readonly<Record<string, string | number | boolean | null>>

/**
 * The period in which an equal request (workflow, contact, action and inputs) counts as a repetition. An intended
 * second request within this period has no effect. This is the lesser evil, because otherwise a repetition could send a
 * message twice.
 */
export const repetitionMillis = 10 * 60_000

/** Sorts the keys of an object, so that equal inputs have equal JSON. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/**
 * FROZEN as long as stored requests contain such keys. Returns the key that identifies a request and its repetitions.
 */
export const callKeyOf = ({ actionKey, crmContactId, inputs, locationId, workflowId }: ActionRequest): string =>
  bytesToHex(
    sha256(
      utf8ToBytes(JSON.stringify([actionKey, locationId, crmContactId, workflowId, inputs], sorted).toWellFormed())
    )
  )
