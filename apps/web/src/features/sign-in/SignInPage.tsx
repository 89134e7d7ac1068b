import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components/Form';
import { useNavigate, useSearchParams } from 'react-router';
import { BASE } from '../../api/client';
import { ApiError } from '../../api/error';
import { join, signIn, signInQuery } from '../../api/session';
import { pageIn } from '../../app/paths';
import { Secret } from '../../parts/Secret';
import { Button, Guarded } from '../../ui';
import { TextInput } from '../../ui/Fields';
import { FormDialog, textsOf } from '../../ui/FormDialog';
import { useTitle } from '../../ui/use-title';
import { problemOf } from './problems';
import { returnTo } from './return-to';
import css from './SignInPage.module.css';

export function SignInPage() {
  useTitle('Sign in');
  return (
    <main className={css.page}>
      <div className={css.card}>
        <img className={css.mark} src={`${BASE}icon.svg`} alt="" width="40" height="40" />
        <h1 className={css.title}>Deployment Assurance</h1>
        <p className={css.lead}>What runs where, since when, from which commit, and with which evidence.</p>
        <Guarded>
          <SignInWays />
        </Guarded>
      </div>
    </main>
  );
}

function SignInWays() {
  const { data: ways } = useSuspenseQuery(signInQuery);
  const [search] = useSearchParams();
  const returnAddress = returnTo(search.get('return_to'));
  const provider = ways.openid_connect;
  const problem = problemOf(search.get('problem'));
  const request = search.get('request');
  return (
    <>
      {problem !== null && (
        <div className={css.problem} role="alert">
          <p>{problem}</p>
          {request !== null && <p>Request {request.slice(0, 100)}</p>}
        </div>
      )}
      {provider && (
        <a
          className={css.provider}
          href={`${BASE}${provider.path.replace(/^\//, '')}?return_to=${encodeURIComponent(returnAddress)}`}
        >
          Sign in with <bdi>{provider.name}</bdi>
        </a>
      )}
      {provider && ways.api_key && <p className={css.or}>or</p>}
      {ways.api_key && <KeyForm back={returnAddress} />}
      {ways.api_key && <AcceptInvitation />}
    </>
  );
}

/** For an invited person without a user: creates the user, shows the first key, and signs in with it. */
function AcceptInvitation() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const enter = async (key: string, organization: string) => {
    await signIn(key).catch(() => undefined);
    client.clear();
    await navigate(pageIn(organization));
  };
  return (
    <p className={css.invited}>
      <FormDialog
        trigger="I have an invitation"
        look="quiet"
        title="Accept an invitation"
        does="Join"
        onSubmit={async (values) => {
          const { token, user } = textsOf(values, 'token', 'user');
          const { api_key, organization } = await join(token.trim(), user.trim());
          return (
            <>
              <Secret label="Your API key" text={api_key} help="You need it to sign in again." />
              <Button onPress={() => void enter(api_key, organization)}>Go to {organization}</Button>
            </>
          );
        }}
      >
        <TextInput
          name="token"
          label="Token"
          required
          help="The one that an administrator of the organization sent to you."
        />
        <TextInput name="user" label="User name" required help="It never changes." />
      </FormDialog>
    </p>
  );
}

function KeyForm({ back }: { readonly back: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [fault, setFault] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPending(true);
    setFault(null);
    try {
      await signIn(String(new FormData(event.currentTarget).get('key')).trim());
      client.clear();
      await navigate(back, { replace: true });
    } catch (error) {
      setFault(messageOf(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <Form className={css.form ?? ''} onSubmit={(event) => void submit(event)}>
      <TextInput
        name="key"
        label="API key"
        type="password"
        required
        autoComplete="current-password"
        help="The first start of the service printed one. Members make their own in the settings."
      />
      {fault !== null && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      <Button type="submit" look="main" isPending={pending}>
        Sign in
      </Button>
    </Form>
  );
}

function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'This key cannot be sent: it has characters that no key has.';
  return error.status === 401 ? 'This is no key of the service, or it is not valid any more.' : error.message;
}
