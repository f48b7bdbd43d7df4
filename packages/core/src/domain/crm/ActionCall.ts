import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Contact } from "../contact/Contact.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import type { ActionInputs } from "./ActionInputs.ts"

/** A request from a workflow of the CRM, unchanged. */
export interface ActionRequest {
  readonly actionKey: string
  readonly locationId: string
  /** The CRM's id of the contact. */
  readonly crmContactId: string
  /** Null if the CRM does not name the workflow. */
  readonly workflowId: string | null
  readonly inputs: ActionInputs
}

/** A request after its tenant and contact are known. */
export interface ActionCall extends ActionRequest {
  readonly tenant: Tenant
  readonly contact: Contact
  /** True if this request created the contact. */
  readonly created: boolean
  /** The same for every repetition of the request. HighLevel repeats a request that takes too long. */
  readonly callId: string
  /** The time of the first request, in epoch milliseconds. */
  readonly firstAt: number
}

/**
 * The response of an action. Flat, because each field becomes a variable of the workflow (`{{add_tag.contact_id}}`).
 */
export type ActionAnswer = Readonly<Record<string, string | number | boolean | null>>

/**
 * The period in which an equal request (workflow, contact, action and inputs) counts as a repetition. An intended
 * second request within this period is lost. Sending a message twice would be worse.
 */
export const repetitionMillis = 10 * 60_000

/** Sorts the keys of objects, so that equal inputs give equal texts. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** FROZEN while stored requests depend on it. Returns the key that identifies a request. */
export const callKeyOf = ({ actionKey, crmContactId, inputs, locationId, workflowId }: ActionRequest): string =>
  bytesToHex(
    sha256(
      utf8ToBytes(JSON.stringify([actionKey, locationId, crmContactId, workflowId, inputs], sorted).toWellFormed())
    )
  )
