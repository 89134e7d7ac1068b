import { Module, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Operation, Outcome, Role } from '@assurance/http';

/** The operations of roles that are served, as an operator asks for them. */
export class Operations {
  private readonly found: (() => Operation)[] = [];

  /** The role with its operations at hand: serve it in the place of the role. */
  of(role: Role): Role {
    const { found } = this;
    const types: readonly Type<Operation>[] = role.operations ?? [];
    @Module({ imports: [role.module] })
    class WithOperations {
      constructor(module: ModuleRef) {
        found.push(...types.map((type) => () => module.get(type, { strict: false })));
      }
    }
    return { ...role, module: WithOperations };
  }

  /** Runs `name words`, as `npm run operate` does. */
  run(name: string, ...words: string[]): Promise<Outcome> {
    const operation = this.found.map((one) => one()).find((one) => one.name === name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    return operation.run(words, () => undefined, new AbortController().signal);
  }
}
