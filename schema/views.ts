import { GraphQLSchema, isObjectType, isUnionType } from 'graphql';

/** At the end of the name of a type or field that partners have in another form than staff. */
const MARK = 'ForPartners';

/** The partners' view, with the names that partners know: `viewer` for `viewerForPartners`, `Viewer` for `ViewerForPartners`. */
export function withPartnersNames(view: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(view.getTypeMap())) {
    if (type.name.includes(MARK)) Object.assign(type, { name: plain(type.name) });
    if (isObjectType(type)) {
      const fields = type.getFields();
      for (const [name, field] of Object.entries(fields).filter(([each]) => each.endsWith(MARK))) {
        delete fields[name];
        fields[plain(name)] = Object.assign(field, { name: plain(name) });
      }
    }
    if (isUnionType(type)) {
      const { resolveType } = type;
      type.resolveType = async (...call) => {
        const name = await resolveType?.(...call);
        return name && plain(name);
      };
    }
  }
  return new GraphQLSchema({ ...view.toConfig(), types: [] });
}

function plain(name: string): string {
  return name.replace(MARK, '');
}
