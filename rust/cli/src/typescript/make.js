// Rows as values. Each part becomes a function once, when a module is loaded. They refuse what packing does not make.

class Maker extends Table {
  constructor(parts) {
    super(parts);
    this.makers = this.parts.map((part) => this.maker(part));
  }

  /** The value of a row. */
  make(root, codes) {
    return this.makers[root]({ codes, at: 0 });
  }

  maker(part) {
    const wire = this.wireMaker(part);
    const judge = part.must && judgeOf(part.must);
    if (!part.nullable && !judge) return wire;
    return (row) => {
      if (part.nullable && row.codes[row.at++] === 0) return null;
      const value = wire(row);
      if (value === null) return part.nullable ? refuse("NOT_CANONICAL") : value;
      if (judge) judge(value);
      return value;
    };
  }

  wireMaker(part) {
    switch (part.kind) {
      case "only":
        return () => copy(part.value);
      case "same":
        return (row) => this.makers[part.part](row);
      case "bool":
        return (row) => row.codes[row.at++] === 1;
      case "int":
      case "float":
        return (row) => numberOf(row.codes[row.at++], part.form);
      case "solid":
        return solidMaker(part.solid);
      case "text":
        return (row) => row.codes[row.at++];
      case "path":
        return (row) => new NodePath(...JSON.parse(row.codes[row.at++]));
      case "any":
        return (row) => ofVariant(() => decodeVariant(bytesOf(row.codes[row.at++]), { limits: PACKET_LIMITS }));
      case "enum":
        return (row) => copy(part.values[row.codes[row.at++]]);
      case "dict":
        return this.dictMaker(part);
      case "cases":
        return (row) => {
          const code = row.codes[row.at++];
          const made = this.makers[part.cases[code]](row);
          return { [part.key]: copy(part.values[code]), ...made };
        };
      case "union":
        return (row) => {
          const code = row.codes[row.at++];
          const value = this.makers[part.alternatives[code]](row);
          return this.choose(part, value) === code ? value : refuse("NOT_CANONICAL");
        };
      case "map":
      case "keyed_map":
        return this.mapMaker(part);
      case "tuple":
        return this.tupleMaker(part);
      default:
        return this.listMaker(part);
    }
  }

  dictMaker(part) {
    const { keys, declared, optional } = part;
    return (row) => {
      const { codes } = row;
      const made = new Array(keys.length);
      let flag = row.at;
      row.at += optional;
      for (let number = 0; number < keys.length; number++) {
        const key = keys[number];
        if (key.optional && codes[flag++] === 0) {
          made[number] = key.default === undefined ? undefined : copy(key.default);
          continue;
        }
        try {
          const start = row.at;
          made[number] = this.makers[key.part](row);
          if (key.optional && this.isDefault(codes.slice(start, row.at), part, number)) refuse("NOT_CANONICAL");
        } catch (error) {
          throw under(key.name, error);
        }
      }
      const value = {};
      for (const number of declared) {
        const of = made[number];
        if (of !== undefined) put(value, keys[number].name, of);
      }
      return value;
    };
  }

  mapMaker(part) {
    return (row) => {
      const { codes } = row;
      const count = codes[row.at++];
      const map = new Dictionary();
      for (let number = 0; number < count; number++) {
        try {
          const key = this.makers[part.key](row);
          const value = this.makers[part.value](row);
          if (map.set(key, value).size !== number + 1) refuse("DUPLICATE_KEY");
        } catch (error) {
          throw under(`[${number}]`, error);
        }
      }
      return map;
    };
  }

  listMaker(part) {
    const one = this.itemMaker(part);
    return (row) => {
      const count = row.codes[row.at++];
      const items = [];
      try {
        for (let number = 0; number < count; number++) items.push(one(row));
      } catch (error) {
        throw under(`[${items.length}]`, error);
      }
      return items;
    };
  }

  itemMaker(part) {
    if (part.kind === "strings") return (row) => row.codes[row.at++];
    if (part.kind !== "packed") return (row) => this.makers[part.item](row);
    const made = solidMaker(part.solid);
    return part.size === 1 ? (row) => made(row)[0] : made;
  }

  tupleMaker(part) {
    return (row) => {
      const { codes } = row;
      const count = codes[row.at++];
      const items = [];
      for (let number = 0; number < count; number++) {
        const start = row.at;
        try {
          items.push(this.makers[part.items[number]](row));
          const isLast = number + 1 === count && number >= part.fewest;
          if (isLast && this.isDefault(codes.slice(start, row.at), part, number)) refuse("NOT_CANONICAL");
        } catch (error) {
          throw under(`[${number}]`, error);
        }
      }
      for (const value of part.defaults.slice(items.length - part.fewest)) items.push(copy(value));
      return items;
    };
  }
}

/** Gives an object a member of its own, whatever its name. */
function put(object, name, value) {
  if (name === "__proto__") Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

function solidMaker(solid) {
  const count = solidCodes(solid);
  return (row) => solidMade(row.codes.slice(row.at, (row.at += count)), solid);
}
