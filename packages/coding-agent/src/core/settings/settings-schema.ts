/** What `settings.schema.json` says of the keys: the one table that checks, documents and shows settings. */
import schema from "../../../settings.schema.json" with { type: "json" };

/** The parts of JSON Schema that occur in the file. */
export interface SettingSchema {
  description?: string;
  default?: unknown;
  /** `global`: not read from a project's settings. */
  scope?: string;
  /** `stop`: a wrong value ends the start. Others are ignored, and said. */
  onWrong?: string;
  minimum?: number | undefined;
  maximum?: number | undefined;
  multipleOf?: number | undefined;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: SettingSchema[];
  properties?: Record<string, SettingSchema>;
  additionalProperties?: boolean | SettingSchema;
  items?: SettingSchema;
}

export const settingsSchema: SettingSchema = schema;
