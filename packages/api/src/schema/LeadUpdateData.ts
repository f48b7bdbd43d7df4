import { FieldValues } from "@leadloom/core/internal/domain/field/FieldValues"
import { Schema } from "effect"

const Maybe = Schema.NullOr(Schema.String)

/** The fields that only the event `lead.updated` has. */
export const leadUpdateData = {
  value: Schema.NullOr(Schema.Finite).annotate({
    description: "The expected value in the smallest unit of the currency; null: unknown"
  }),
  currency: Maybe.annotate({ description: "The ISO 4217 currency of the value; null without a value" }),
  expected_close_on: Maybe.annotate({ description: "The date on which a decision is expected; null: unknown" }),
  tags: Schema.Array(Schema.String).annotate({ description: "The labels of the lead" }),
  loss_reason: Maybe.annotate({ description: "The reason why the lead was lost; null: not stated, or not lost" }),
  custom_fields: FieldValues.annotate({ description: "The values of the lead's custom fields, by key" })
}
