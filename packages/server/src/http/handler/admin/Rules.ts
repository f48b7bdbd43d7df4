import { Api } from "@leadloom/api/internal/Api"
import {
  catalogueActions,
  catalogueFacts,
  type CatalogueItem,
  catalogueOperators,
  catalogueTriggers
} from "@leadloom/core/internal/domain/rule/Catalogue"
import { listFields } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const itemJson = ({ about, schema, type }: CatalogueItem) => ({ type, description: about, schema })

/** The endpoint with the vocabulary of rules. */
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
        actions: catalogueActions().map((action) => ({ ...itemJson(action), needs_message: action.needsMessage }))
      }
    })
  })
)
