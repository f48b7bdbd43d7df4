import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/admin/Rules"
import { replyToJson } from "@leadloom/api/internal/schema/PipelineFields"
import { ruleStoryToJson } from "@leadloom/api/internal/schema/Runs"
import { orNull } from "@leadloom/api/internal/schema/Wire"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import {
  catalogueActions,
  catalogueFacts,
  type CatalogueItem,
  catalogueOperators,
  catalogueTriggers
} from "@leadloom/core/internal/domain/rule/Catalogue"
import type { RequestedAction, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { inRunningOrder } from "@leadloom/core/internal/domain/rule/RuleList"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { listFields } from "@leadloom/core/internal/workflow/field/ChangeFields"
import {
  createRule,
  deleteRule,
  enableRule,
  readRule,
  reorderRules,
  updateRule
} from "@leadloom/core/internal/workflow/rule/ChangeRules"
import { testRule } from "@leadloom/core/internal/workflow/rule/TestRule"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { requestFromJson } from "../../json/PipelineJson.ts"
import { setETag, versionsOf } from "../../middleware/ETag.ts"

const itemJson = ({ about, schema, type }: CatalogueItem) => ({ type, description: about, schema })

interface Change {
  readonly headers: { readonly "if-match"?: string }
  readonly query: { readonly comment?: string }
}

const editOf = Effect.fnUntraced(function* ({ headers, query }: Change) {
  return { changedBy: principalName(yield* Principal), versions: yield* versionsOf(headers["if-match"]), ...query }
})

/** Returns the rules in running order, with the version in the headers. */
const reportAll = ({ config, configVersion, tenantId }: Tenant) =>
  Effect.as(setETag(configVersion), {
    tenant_id: tenantId,
    version: configVersion,
    rules: inRunningOrder(config.rules)
  })

/** Returns one rule, with the version in the headers. */
const reportOne = ({ rule, tenant }: { readonly rule: Rule; readonly tenant: Tenant }) =>
  Effect.as(setETag(tenant.configVersion), { tenant_id: tenant.tenantId, version: tenant.configVersion, rule })

const actionToJson = ({ action, rendered }: RequestedAction) => ({
  action,
  text: rendered !== undefined && "text" in rendered ? rendered.text : null,
  failure: rendered !== undefined && "failure" in rendered ? rendered.failure : null
})

const trialOf = ({ classification, contact_id, message_id, rule, rule_id, ...sample }: typeof Wire.TestRule.Type) => ({
  ruleId: rule_id ?? null,
  rule: rule ?? null,
  messageId: message_id ?? null,
  contactId: contact_id ?? null,
  sample: Object.keys(sample).length === 0 ? null : requestFromJson({ message: "", ...sample }),
  classification: classification ?? null
})

/** Endpoints for single rules, and for their vocabulary. */
export const layer = HttpApiBuilder.group(Api, "rules", (handlers) =>
  handlers.handleAll({
    catalogue: Effect.fnUntraced(function* ({ params }) {
      const fields = yield* answer(listFields(params.tenant_id, null))
      return {
        facts: catalogueFacts(fields).map(({ about, needsMessage, ...fact }) => ({
          ...fact,
          description: about,
          needs_message: needsMessage
        })),
        operators: catalogueOperators.map(({ about, ...operator }) => ({ ...operator, description: about })),
        triggers: catalogueTriggers().map(itemJson),
        actions: catalogueActions().map((action) => ({
          ...itemJson(action),
          needs_message: action.needsMessage,
          example: action.example
        }))
      }
    }),
    list: Effect.fnUntraced(function* ({ params }) {
      return yield* reportAll(yield* answer((yield* Tenants).get(params.tenant_id)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return yield* reportOne(yield* answer(readRule(params.tenant_id, params.rule_id)))
    }),
    create: Effect.fnUntraced(function* ({ params, payload, ...request }) {
      return yield* reportOne(yield* answer(createRule(params.tenant_id, payload, yield* editOf(request))))
    }),
    update: Effect.fnUntraced(function* ({ params, payload, ...request }) {
      const edit = yield* editOf(request)
      return yield* reportOne(yield* answer(updateRule(params.tenant_id, params.rule_id, payload, edit)))
    }),
    delete: Effect.fnUntraced(function* ({ params, ...request }) {
      const edit = yield* editOf(request)
      const tenant = yield* answer(deleteRule(params.tenant_id, params.rule_id, edit))
      yield* setETag(tenant.configVersion)
    }),
    enable: Effect.fnUntraced(function* ({ params, ...request }) {
      const edit = yield* editOf(request)
      return yield* reportOne(yield* answer(enableRule(params.tenant_id, params.rule_id, true, edit)))
    }),
    disable: Effect.fnUntraced(function* ({ params, ...request }) {
      const edit = yield* editOf(request)
      return yield* reportOne(yield* answer(enableRule(params.tenant_id, params.rule_id, false, edit)))
    }),
    reorder: Effect.fnUntraced(function* ({ params, payload, ...request }) {
      const edit = yield* editOf(request)
      return yield* reportAll(yield* answer(reorderRules(params.tenant_id, payload.rule_ids, edit)))
    }),
    test: Effect.fnUntraced(function* ({ params, payload }) {
      const { actions, enabled, facts, reply, story } = yield* answer(testRule(params.tenant_id, trialOf(payload)))
      return {
        ...ruleStoryToJson(story),
        enabled,
        actions: actions.map(actionToJson),
        reply: orNull(reply, replyToJson),
        facts: { ...facts }
      }
    })
  })
)
