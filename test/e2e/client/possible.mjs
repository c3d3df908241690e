// Returns the types of each interface and union, which normalized caches need.
import { runPlain } from './screens.mjs';

export default async function possibleTypes() {
  const { __schema: schema } = await runPlain('{ __schema { types { name possibleTypes { name } } } }');
  return Object.fromEntries(
    schema.types.filter((type) => type.possibleTypes).map((type) => [type.name, type.possibleTypes.map((possible) => possible.name)]),
  );
}
