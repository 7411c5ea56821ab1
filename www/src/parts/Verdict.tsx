import { text } from '../text/language';
import { Owner } from './Owner';

interface Props {
  /** Of the answer; `-owner` is appended for the primary beside it. */
  readonly id: string;
  readonly slot: number;
  /** What is answered where it is not the slot itself, and what that is called. */
  readonly answer?: string;
  readonly label?: string;
}

/** A panel's answer in large print, and the primary that serves its slot. */
export function Verdict({ id, slot, answer, label }: Props) {
  return (
    <dl class="verdict">
      <div>
        <dt>{label ?? text.value.slot}</dt>
        <dd class={answer === undefined ? 'big' : 'big mono'} id={id}>
          {answer ?? slot}
        </dd>
      </div>
      <div>
        <dt>{text.value.owner.label}</dt>
        <dd class="big-owner" id={`${id}-owner`}>
          <Owner slot={slot} />
        </dd>
      </div>
    </dl>
  );
}
