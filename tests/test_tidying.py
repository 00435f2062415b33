"""Python's tidying up waits for a quiet moment, but not for ever."""

import gc

import pytest

from referee.tidying import EVERY_MS, LATEST_MS, tidying


class Circle:
    """Something that only tidying up takes away."""

    left = 0

    def __init__(self):
        self.me = self

    def __del__(self):
        Circle.left += 1


@pytest.fixture(autouse=True)
def left():
    Circle.left = 0
    yield
    assert gc.isenabled()


def test_python_does_not_tidy_up_by_itself_meanwhile():
    with tidying():
        for _ in range(10 * gc.get_threshold()[0]):
            Circle()
        assert Circle.left == 0
        assert not gc.isenabled()
    gc.collect()
    assert Circle.left == 10 * gc.get_threshold()[0]


def test_what_is_forgotten_goes_in_a_quiet_moment():
    with tidying() as tidy:
        Circle()
        assert not tidy.after_frame(0, quiet=True)
        assert not tidy.after_frame(EVERY_MS - 1, quiet=True)
        assert Circle.left == 0
        assert not tidy.after_frame(EVERY_MS, quiet=False)
        assert tidy.after_frame(EVERY_MS, quiet=True)
        assert Circle.left == 1
        assert not tidy.after_frame(2 * EVERY_MS - 1, quiet=True)


def test_where_it_is_never_quiet_it_goes_all_the_same():
    with tidying() as tidy:
        Circle()
        tidy.after_frame(0, quiet=False)
        assert not tidy.after_frame(LATEST_MS - 1, quiet=False)
        assert tidy.after_frame(LATEST_MS, quiet=False)
        assert Circle.left == 1


def test_a_failure_leaves_python_as_it_was():
    with pytest.raises(ZeroDivisionError), tidying():
        raise ZeroDivisionError
    assert gc.isenabled()
