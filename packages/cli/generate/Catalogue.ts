/**
 * Generates `src/operation/generated`: the commands that are derived from the contract. The texts of the commands
 * are those of the contract. Tests: `packages/cli/test/operation`.
 */
import { decide } from "@leadloom/core/internal/domain/access/Permission"
import type { Principal } from "@leadloom/core/internal/domain/access/Principal"
import { type Document, fileType } from "../../client/generate/Document.ts"
import { answerKindOf, hasHeader, keylessOf, type Method, pagingOf } from "../../client/generate/Methods.ts"
import type { Body, Operation } from "../src/operation/Operation.ts"
import { exampleOf } from "./CommandExample.ts"
import { bodyProperties, fieldsOf, helpText } from "./CommandFields.ts"
import { commandOf } from "./CommandNames.ts"

/** The descriptions of groups with operations of several tags. */
const groupTexts: Readonly<Record<string, string>> = {
  conversations: "all messages of a contact on all channels",
  events: "custom events from sources, and the feed of outbound events",
  providers: "send signed events like a provider, for tests",
  runs: "runs of the pipeline"
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const isOutside = ({ operation }: Method): boolean => operation["x-outside-contract"] === true

const methodsOf = (document: Document): ReadonlyArray<Method> =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => {
      const [group = "", name = ""] = operation.operationId.split(".")
      return { group, name, verb: verb.toUpperCase(), path, operation }
    })
  )

/** The principals of an API key without restrictions, and of the admin key. */
const apiKey: Principal = { _tag: "ApiKey", tenantId: "demo", keyId: "key_1", scopes: null }
const admin: Principal = { _tag: "Admin" }

const credentialOf = ({ gates }: Document, method: Method): Operation["credential"] => {
  const { operation } = method
  const gate = gates[operation.operationId]
  if (operation.security?.length === 0) return "none"
  if (gate === undefined) return "integration"
  const isPermitted = (principal: Principal) => decide(principal, gate.operation, "demo") === "allow"
  if (isPermitted(admin) && !isPermitted(apiKey)) return "operator"
  return hasHeader(method, "x-acting-user") ? "tenant" : "integration"
}

const bodyOf = (document: Document, method: Method): Body | undefined => {
  const { requestBody } = method.operation
  if (requestBody === undefined) return undefined
  const [type] = Object.keys(requestBody.content ?? {})
  // A provider signs the bytes of its body, so the body is sent unchanged.
  const sent = isOutside(method) ? type : fileType(requestBody)
  if (sent !== null && sent !== undefined) return { type: sent }
  const options = new Set(fieldsOf(document, method).map(({ name }) => name))
  const more = Object.keys(bodyProperties(document, method)).filter((name) => !options.has(name))
  return more.length === 0 ? {} : { more }
}

/** Returns the kind of a response. A response outside the contract may have any format, unless it has no body (204). */
const resultOf = (method: Method): Operation["result"] =>
  isOutside(method) && !("204" in method.operation.responses) ? "file" : answerKindOf(method)

const operationEntry = (document: Document, method: Method): ReadonlyArray<Operation> => {
  const { operation, path } = method
  const command = commandOf(operation.operationId)
  const verb = methods.find((name) => name === method.verb)
  if (command === null || verb === undefined) return []
  const fields = fieldsOf(document, method)
  const body = bodyOf(document, method)
  const paging = pagingOf(document, method)
  const keyless = keylessOf(document, method)
  return [
    {
      id: operation.operationId,
      command,
      method: verb,
      path,
      about: helpText(operation.summary ?? ""),
      example: exampleOf(method, command, fields, body),
      fields,
      ...(body === undefined ? {} : { body }),
      result: resultOf(method),
      credential: credentialOf(document, method),
      ...(paging === null ? {} : { items: paging.items.map(({ field }) => field) }),
      ...(paging === null || paging.cursor === "cursor" ? {} : { cursor: "after" as const }),
      ...(hasHeader(method, "idempotency-key") ? { idempotent: true as const } : {}),
      ...(hasHeader(method, "if-match") ? { versioned: true as const } : {}),
      ...(keyless === null ? {} : { keyless })
    }
  ]
}

/** Returns the first words of the derived commands with their descriptions. */
const groupsOf = (document: Document, operations: ReadonlyArray<Operation>): Readonly<Record<string, string>> => {
  const groups: Record<string, string> = {}
  for (const { operation } of methodsOf(document)) {
    const found = operations.find(({ id }) => id === operation.operationId)
    const [group, verb] = found?.command.split(" ") ?? []
    if (group === undefined) continue
    const tag = document.tags?.find(({ name }) => name === operation.tags?.[0])
    groups[group] ??=
      verb === undefined ? (found?.about ?? "") : (groupTexts[group] ?? helpText(tag?.description ?? ""))
  }
  return groups
}

const header = "// Generated from the contract by `npm run generate`. Do not edit."

/** Returns the operations whose commands are derived from the contract, in the order of the contract. */
export const derivedOperations = (document: Document): ReadonlyArray<Operation> =>
  methodsOf(document).flatMap((method) => operationEntry(document, method))

/** Renders `src/operation/generated/groups.ts`. */
export const renderGroups = (document: Document): string => `${header}

/** The first words of the commands that are derived from the contract, with their descriptions. */
export const groups: Readonly<Record<string, string>> = ${JSON.stringify(groupsOf(document, derivedOperations(document)), null, 2)}
`

/** Renders `src/operation/generated/operations.ts`. */
export const renderOperations = (document: Document): string => `${header}
import type { Operation } from "../Operation.ts"

/** The operations whose commands are derived from the contract, in the order of the contract. */
export const operations: ReadonlyArray<Operation> = ${JSON.stringify(derivedOperations(document), null, 2)}
`
